"""Authlib, unmodified, as an app: it speaks JSON, a line at a time, with the test that plays the user."""

import json
import os
import sys

from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc6749.errors import OAuth2Error
from authlib.integrations.base_client import OAuthError

import requests


def say(**told):
    print(json.dumps(told), flush=True)


def hear():
    return json.loads(sys.stdin.readline())


issuer = os.environ["ISSUER"]
server = requests.get(issuer + "/.well-known/oauth-authorization-server").json()
assert server["issuer"] == issuer

client = OAuth2Session(
    os.environ["CLIENT_ID"],
    os.environ["CLIENT_SECRET"],
    token_endpoint_auth_method=os.environ["CREDENTIALS"],
    revocation_endpoint_auth_method=os.environ["CREDENTIALS"],
    scope="user:read meeting:create meeting:read",
    redirect_uri=os.environ["REDIRECT_URI"],
    code_challenge_method="S256",
)
verifier = generate_token(48)
link, state = client.create_authorization_url(server["authorization_endpoint"], code_verifier=verifier)
say(link=link, state=state)

back = hear()["back"]
token = client.fetch_token(
    server["token_endpoint"], authorization_response=back, state=state, code_verifier=verifier
)
say(token=token, profile=client.get(server["userinfo_endpoint"]).json())

hear()
made = client.post(issuer + "/api/meeting", json=json.loads(os.environ["MEETING"]))
meeting = made.json()["meetingDetails"]
read = client.get(issuer + "/api/meeting/meetingDetails/" + meeting["_id"])
say(made=made.status_code, read=read.json()[0])

hear()
refreshed = client.refresh_token(server["token_endpoint"])
say(token=refreshed, profile=client.get(server["userinfo_endpoint"]).json())

hear()
introspected = client.introspect_token(
    server["introspection_endpoint"], token=refreshed["access_token"]
).json()
revoked = client.revoke_token(server["revocation_endpoint"], token=refreshed["refresh_token"])
refused = client.get(server["userinfo_endpoint"])
try:
    client.refresh_token(server["token_endpoint"])
    error = None
except (OAuth2Error, OAuthError) as raised:
    error = raised.error
say(introspected=introspected, revoked=revoked.json(), refused=refused.status_code, error=error)
