-- expand, alone
insert into operator_act (at, who, via, from_address, act, target, wanted, request_id)
select o.at, o.who, 'api', 'unknown', o.action, o.layer, jsonb_build_object('guards', o.guards), o.request_id
from operator_action o
where not exists (select from operator_act a where a.request_id = o.request_id and a.act = o.action)
order by o.id;
