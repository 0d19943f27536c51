-- expand
-- Since here no program reads it: a later version drops it, with the trigger that carries its rows (contract 0099).
comment on table operator_action is 'Not read since 0099; its rows are in operator_act.';
