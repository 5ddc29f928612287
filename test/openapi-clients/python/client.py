"""Schedule, list, refuse and cancel a meeting by the package that openapi-python-client has generated."""

import json
import os
from datetime import datetime

from parley_client import AuthenticatedClient
from parley_client.api.meetings import cancel_meeting, create_meeting, list_meetings, read_meeting
from parley_client.models import (
    AdvancedOptionsRequest,
    CancelMeetingRequest,
    CancelMeetingRequestCancel,
    CreateMeetingReply,
    MeetingRequest,
    MeetingUpdatedEvent,
    Problem,
    RepeatOptionsRequest,
    RepeatOptionsRequestRepeat,
    SendUpdates,
)

client = AuthenticatedClient(base_url=os.environ["BASE_URL"], token=os.environ["TOKEN"])


def stand_up(topic: str) -> MeetingRequest:
    return MeetingRequest(
        topic=topic,
        start_time=datetime.fromisoformat("2027-01-11T09:00:00+05:30"),
        end_time=datetime.fromisoformat("2027-01-11T09:30:00+05:30"),
        participants=["bob@example.org"],
        description="",
        # No option is required: each has a default.
        advanced_options=AdvancedOptionsRequest(waiting_room=True),
        is_pin_enabled=True,
        repeat_options=RepeatOptionsRequest(
            repeat=RepeatOptionsRequestRepeat.WEEKLY, interval=1, days_of_week=[0, 1, 0, 0, 0, 0, 0], time_zone="IST"
        ),
    )


created = create_meeting.sync(client=client, body=stand_up("Stand-up"), send_updates=SendUpdates.NONE)
assert isinstance(created, CreateMeetingReply), created
meeting_id = created.meeting_details.field_id

listed = list_meetings.sync("me", client=client)
topics = [meeting.topic for meeting in listed.meeting_details]

refused = create_meeting.sync(client=client, body=stand_up(""))
assert isinstance(refused, Problem), refused
violations = [f"{violation.path} {violation.code}" for violation in refused.errors]

cancelled = cancel_meeting.sync(
    meeting_id,
    client=client,
    body=CancelMeetingRequest(cancel=CancelMeetingRequestCancel.ALL),
    send_updates=SendUpdates.NONE,
)
[read] = read_meeting.sync(meeting_id, client=client)

event = MeetingUpdatedEvent.from_dict(json.loads(os.environ["EVENT"]))

print(
    json.dumps(
        {
            "topics": topics,
            "code": refused.code,
            "violations": violations,
            "cancelled": cancelled.status != "",
            "status": read.status.value,
            "changed": [field.value for field in event.data.changed],
        }
    )
)
