// Schedule, list, refuse and cancel a meeting by the client that oapi-codegen has generated.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	"parley.example/client/parley"
)

func must[Value any](value Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}

func pointerTo[Value any](value Value) *Value { return &value }

func invitee(address string) (found parley.Invitee) {
	if err := found.UnmarshalJSON(must(json.Marshal(address))); err != nil {
		panic(err)
	}
	return found
}

func flag(number int) (found parley.Flag) {
	if err := found.FromFlag0(number); err != nil {
		panic(err)
	}
	return found
}

func standUp(topic string) parley.MeetingRequest {
	days := []parley.Flag{flag(0), flag(1), flag(0), flag(0), flag(0), flag(0), flag(0)}
	return parley.MeetingRequest{
		Topic:        topic,
		StartTime:    must(time.Parse(time.RFC3339, "2027-01-11T09:00:00+05:30")),
		EndTime:      must(time.Parse(time.RFC3339, "2027-01-11T09:30:00+05:30")),
		Participants: []parley.Invitee{invitee("bob@example.org")},
		// No option is required: each has a default.
		AdvancedOptions: parley.AdvancedOptionsRequest{WaitingRoom: pointerTo(true)},
		IsPinEnabled:    true,
		RepeatOptions: parley.RepeatOptionsRequest{
			Repeat: parley.RepeatOptionsRequestRepeatWeekly, Interval: pointerTo(1), DaysOfWeek: &days, TimeZone: pointerTo("IST"),
		},
	}
}

func main() {
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
		return nil
	}
	client := must(parley.NewClientWithResponses(os.Getenv("BASE_URL"), parley.WithRequestEditorFn(authorize)))
	ctx := context.Background()
	quietly := pointerTo(parley.SendUpdatesNone)

	created := must(client.CreateMeetingWithResponse(ctx, &parley.CreateMeetingParams{SendUpdates: quietly}, standUp("Stand-up")))
	meetingID := created.JSON200.MeetingDetails.UnderscoreId

	listed := must(client.ListMeetingsWithResponse(ctx, "me", &parley.ListMeetingsParams{}))
	topics := []string{}
	for _, meeting := range listed.JSON200.MeetingDetails {
		topics = append(topics, meeting.Topic)
	}

	refused := must(client.CreateMeetingWithResponse(ctx, &parley.CreateMeetingParams{}, standUp("")))
	problem := refused.ApplicationproblemJSON400
	violations := []string{}
	for _, violation := range *problem.Errors {
		violations = append(violations, violation.Path+" "+violation.Code)
	}

	all := parley.CancelMeetingRequest{Cancel: parley.CancelMeetingRequestCancelAll}
	cancelled := must(client.CancelMeetingWithResponse(ctx, meetingID, &parley.CancelMeetingParams{SendUpdates: quietly}, all))
	read := must(client.ReadMeetingWithResponse(ctx, meetingID, &parley.ReadMeetingParams{}))

	event := parley.ReceiveMeetingUpdatedJSONRequestBody{}
	if err := json.Unmarshal([]byte(os.Getenv("EVENT")), &event); err != nil {
		panic(err)
	}

	fmt.Println(string(must(json.Marshal(map[string]any{
		"topics":     topics,
		"code":       problem.Code,
		"violations": violations,
		"cancelled":  cancelled.JSON200.Status != "",
		"status":     (*read.JSON200)[0].Status,
		"changed":    event.Data.Changed,
	}))))
}
