-- The resource that tokens are for (RFC 8707): the REST API or the MCP server. Null when the app named none; such tokens
-- are for the REST API. Not the address, so that tokens outlive a change of BASE_URL.
alter table authorization_request add column resource text check (resource in ('api', 'mcp'));
alter table authorization_code add column resource text check (resource in ('api', 'mcp'));
-- Of all tokens of a family: no refresh changes it.
alter table token_family add column resource text check (resource in ('api', 'mcp'));
