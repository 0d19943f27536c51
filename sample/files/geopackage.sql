-- The tables of a GeoPackage of one theme.
  create table gpkg_spatial_ref_sys (srs_name text not null, srs_id integer primary key,
    organization text not null, organization_coordsys_id integer not null, definition text not null,
    description text);
  insert into gpkg_spatial_ref_sys values
    ('ETRS89 / UTM zone 32N', 25832, 'EPSG', 25832, 'undefined', null),
    ('Undefined cartesian', -1, 'NONE', -1, 'undefined', null),
    ('Undefined geographic', 0, 'NONE', 0, 'undefined', null);
  create table gpkg_contents (table_name text primary key, data_type text not null,
    identifier text unique, description text, last_change text, min_x double, min_y double,
    max_x double, max_y double, srs_id integer);
  create table gpkg_geometry_columns (table_name text not null, column_name text not null,
    geometry_type_name text not null, srs_id integer not null, z tinyint not null,
    m tinyint not null);
  create table "{{theme}}" (fid integer primary key, {{columns}}, geometri blob);
  insert into gpkg_contents (table_name, data_type, identifier, srs_id)
    values ('{{theme}}', 'features', '{{theme}}', 25832);
  insert into gpkg_geometry_columns values ('{{theme}}', 'geometri', 'MULTIPOLYGON', 25832, 2, 0);
