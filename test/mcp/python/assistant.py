"""Schedule a weekly meeting over a clock change for a person, and cancel one date: with the Python client of MCP.

Prints a line `OPEN <address>` for the person's browser and reads the address to which it comes back; at the end it
prints what it has seen, as JSON. The argument is the mode: `auto`, `legacy`, or a revision.
"""

import asyncio
import json
import os
import sys
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp import Client
from mcp.client.auth import OAuthClientProvider, TokenStorage
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from mcp_types import ElicitResult

ADDRESS = os.environ["ADDRESS"]
REDIRECT_URI = "http://127.0.0.1/callback"
METADATA = {
    "redirect_uris": [REDIRECT_URI],
    "token_endpoint_auth_method": "none",
    "grant_types": ["authorization_code", "refresh_token"],
}


class Storage(TokenStorage):
    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull:
        return OAuthClientInformationFull(client_id=os.environ["CLIENT_ID"], **METADATA)

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        raise NotImplementedError("The client is registered already.")


async def open_browser(address: str) -> None:
    print("OPEN", address, flush=True)


async def wait_for_browser() -> AuthorizationCodeResult:
    returned = parse_qs(urlsplit((await asyncio.to_thread(sys.stdin.readline)).strip()).query)
    return AuthorizationCodeResult(code=returned["code"][0], state=returned["state"][0], iss=returned["iss"][0])


async def main(mode: str) -> None:
    questions: list[str] = []

    async def confirm(context, params) -> ElicitResult:
        questions.append(params.message)
        return ElicitResult(action="accept", content={"confirm": True})

    storage = Storage()
    provider = OAuthClientProvider(
        ADDRESS, OAuthClientMetadata(**METADATA), storage, open_browser, wait_for_browser
    )
    async with httpx2.AsyncClient(auth=provider, timeout=30) as http:
        transport = streamable_http_client(ADDRESS, http_client=http)
        async with Client(transport, mode=mode, elicitation_callback=confirm) as client:

            async def call(name: str, arguments: dict | None = None) -> dict:
                result = await client.call_tool(name, arguments or {})
                assert not result.is_error, result.content[0].text
                return result.structured_content

            tools = [tool.name for tool in (await client.list_tools()).tools]
            who = await call("who_am_i")
            proposed = await call(
                "propose_meeting",
                {
                    "topic": "Review",
                    "startTime": "2030-03-25T09:00",
                    "durationMinutes": 45,
                    "timeZone": "Europe/Berlin",
                    "participants": ["bob@example.org"],
                    "repeatOptions": {"repeat": "weekly", "daysOfWeek": ["monday"], "count": 3},
                },
            )
            scheduled = await call("schedule_meeting", {"proposal": proposed["proposal"]})
            repeated = await call("schedule_meeting", {"proposal": proposed["proposal"]})
            refused = await client.call_tool(
                "propose_meeting",
                {
                    "topic": "Review",
                    "startTime": "2030-03-31T02:30",
                    "durationMinutes": 45,
                    "timeZone": "Europe/Berlin",
                    "participants": [],
                },
            )
            read = await call("get_meeting", {"meetingId": scheduled["meetingId"]})
            cancelled = await call(
                "cancel_meeting",
                {
                    "meetingId": scheduled["meetingId"],
                    "occurrence": "one",
                    "originalStart": read["dates"][1]["originalStart"],
                },
            )
    print(
        json.dumps(
            {
                "tools": tools,
                "name": who["name"],
                "offsets": [date["start"]["offset"] for date in proposed["dates"]],
                "same": scheduled["meetingId"] == repeated["meetingId"],
                "refused": [refused.is_error, refused.content[0].text],
                "left": [date["start"]["local"] for date in cancelled["dates"]],
                "questions": questions,
                "scope": storage.tokens.scope if storage.tokens else None,
            }
        )
    )


asyncio.run(main(sys.argv[1]))
