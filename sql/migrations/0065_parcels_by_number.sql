-- Parcels are asked by district and number (D150).
create index cadastre_district_code on cadastre_district (code);
create index cadastre_parcel_number on cadastre_parcel (district_id, number);
