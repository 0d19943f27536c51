-- expand, alone
-- Rows of the history are text of whole rows: those kept before 0073 end with their time, and get its columns.
update address_history
set was = left(was, -1) || case entity when 'Adressepunkt' then ',,,,)' else ',,)' end
where entity in ('Adressepunkt', 'Husnummer') and was ~ '"\d{4}-\d\d-\d\d [^"]*"\)$';
