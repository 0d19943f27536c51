-- The property that EBR has at a house number, where no parcel is known of it: looked for by the house number.
create index address_property_access on address_property (access_id);
