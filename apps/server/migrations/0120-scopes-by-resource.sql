-- What a person has allowed an app, for each resource (RFC 8707): a consent for one never reaches another. A resource that
-- is added later gets a column of its own, which no earlier consent fills.
alter table app_grant rename column scopes to api_scopes;
alter table app_grant add column mcp_scopes text[] not null default '{}';

-- Earlier grants are for what their codes and tokens were for. Where codes and tokens of both exist, each resource keeps
-- the scopes of its own. Where none is left, apps of developers keep the API, which an authorization request names by
-- default, and clients that no developer has registered keep the MCP server, which they exist for.
with trace as (
  select grant_id, coalesce(resource, 'api') as resource, scopes from authorization_code
  union all
  select f.grant_id, coalesce(f.resource, 'api'), t.scopes
    from token_family f join refresh_token t on t.family_id = f.id
), resources as (
  select grant_id, bool_or(resource = 'api') as api, bool_or(resource = 'mcp') as mcp from trace group by grant_id
), kept as (
  select g.id, coalesce(r.api, p.registration = 'portal') as api, coalesce(r.mcp, p.registration <> 'portal') as mcp
  from app_grant g join app p on p.id = g.app_id left join resources r on r.grant_id = g.id
)
update app_grant g set
  api_scopes = case
    when not k.api then '{}'
    when not k.mcp then g.api_scopes
    else array(select scope from unnest(g.api_scopes) with ordinality as granted (scope, position)
      where exists (select from trace t where t.grant_id = g.id and t.resource = 'api' and scope = any (t.scopes))
      order by position) end,
  mcp_scopes = case
    when not k.mcp then '{}'
    when not k.api then g.api_scopes
    else array(select scope from unnest(g.api_scopes) with ordinality as granted (scope, position)
      where exists (select from trace t where t.grant_id = g.id and t.resource = 'mcp' and scope = any (t.scopes))
      order by position) end
from kept k where k.id = g.id and k.mcp;
