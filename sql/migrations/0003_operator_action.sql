-- What operators did, and who: the record behind a released guard or a reverted layer.
create table operator_action (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  layer text not null,
  action text not null check (action in ('sync', 'release', 'revert')),
  -- Guards released for one run; empty for the other actions.
  guards text[] not null default '{}',
  who text not null,
  request_id text not null
);
create index operator_action_by_layer on operator_action (layer, id desc);
