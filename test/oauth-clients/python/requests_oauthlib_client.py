"""requests-oauthlib, unmodified, as an app: it speaks JSON, a line at a time, with the test that plays the user."""

import json
import os
import sys

import requests
from oauthlib.oauth2 import OAuth2Error
from requests_oauthlib import OAuth2Session


def say(**told):
    print(json.dumps(told), flush=True)


def hear():
    return json.loads(sys.stdin.readline())


issuer = os.environ["ISSUER"]
client_id, client_secret = os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"]
server = requests.get(issuer + "/.well-known/oauth-authorization-server").json()
credentials = {} if os.environ["CREDENTIALS"] == "client_secret_basic" else {"include_client_id": True}

# Fewer scopes than the app has registered: it raises an error when other scopes than the requested ones are granted.
client = OAuth2Session(
    client_id, redirect_uri=os.environ["REDIRECT_URI"], scope=["user:read", "meeting:create", "meeting:read"]
)
link, state = client.authorization_url(server["authorization_endpoint"])
say(link=link, state=state)

back = hear()["back"]
token = client.fetch_token(
    server["token_endpoint"], authorization_response=back, client_secret=client_secret, **credentials
)
say(token=token, profile=client.get(server["userinfo_endpoint"]).json())

hear()
made = client.post(issuer + "/api/meeting", json=json.loads(os.environ["MEETING"]))
meeting = made.json()["meetingDetails"]
read = client.get(issuer + "/api/meeting/meetingDetails/" + meeting["_id"])
say(made=made.status_code, read=read.json()[0])

hear()
# At refresh, it can send credentials in the body only.
refreshed = client.refresh_token(
    server["token_endpoint"], client_id=client_id, client_secret=client_secret
)
say(token=refreshed, profile=client.get(server["userinfo_endpoint"]).json())

hear()
introspected = requests.post(
    server["introspection_endpoint"], auth=(client_id, client_secret), data={"token": refreshed["access_token"]}
).json()
revoked = requests.post(
    server["revocation_endpoint"], auth=(client_id, client_secret), data={"token": refreshed["refresh_token"]}
)
refused = client.get(server["userinfo_endpoint"])
try:
    client.refresh_token(server["token_endpoint"], client_id=client_id, client_secret=client_secret)
    error = None
except OAuth2Error as raised:
    error = raised.error
say(introspected=introspected, revoked=revoked.json(), refused=refused.status_code, error=error)
