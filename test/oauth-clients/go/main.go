// Go's x/oauth2, unmodified, as an app: it speaks JSON, a line at a time, with the test that plays the user.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"time"

	"golang.org/x/oauth2"
)

type object = map[string]any

var heard = bufio.NewScanner(os.Stdin)

func say(told object) {
	line, err := json.Marshal(told)
	check(err)
	fmt.Println(string(line))
}

func hear() (told map[string]string) {
	heard.Scan()
	check(json.Unmarshal(heard.Bytes(), &told))
	return told
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func answerOf(answered *http.Response, err error) (int, []byte) {
	check(err)
	defer answered.Body.Close()
	body, err := io.ReadAll(answered.Body)
	check(err)
	return answered.StatusCode, body
}

func main() {
	ctx := context.Background()
	issuer := os.Getenv("ISSUER")
	styles := map[string]oauth2.AuthStyle{
		"client_secret_basic": oauth2.AuthStyleInHeader,
		"client_secret_post":  oauth2.AuthStyleInParams,
		// It tries one, and after a failure the other.
		"": oauth2.AuthStyleAutoDetect,
	}
	config := &oauth2.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		RedirectURL:  os.Getenv("REDIRECT_URI"),
		Scopes:       []string{"user:read", "meeting:create", "meeting:read"},
		Endpoint: oauth2.Endpoint{
			AuthURL:   issuer + "/oauth2/authorize",
			TokenURL:  issuer + "/api/oauth2/v2/token",
			AuthStyle: styles[os.Getenv("CREDENTIALS")],
		},
	}
	state := "from Go"
	say(object{"link": config.AuthCodeURL(state), "state": state})

	back, err := url.Parse(hear()["back"])
	check(err)
	token, err := config.Exchange(ctx, back.Query().Get("code"))
	var refusal *oauth2.RetrieveError
	if errors.As(err, &refusal) {
		say(object{"refusal": string(refusal.Body)})
		return
	}
	check(err)
	client := config.Client(ctx, token)
	profile := func() (profile object) {
		_, body := answerOf(client.Get(issuer + "/api/user/profile"))
		check(json.Unmarshal(body, &profile))
		return profile
	}
	say(object{"token": shown(token), "profile": profile()})

	hear()
	made, body := answerOf(client.Post(issuer+"/api/meeting", "application/json", bytes.NewBufferString(os.Getenv("MEETING"))))
	var answer struct {
		MeetingDetails struct {
			Id string `json:"_id"`
		}
	}
	check(json.Unmarshal(body, &answer))
	_, body = answerOf(client.Get(issuer + "/api/meeting/meetingDetails/" + answer.MeetingDetails.Id))
	var read []object
	check(json.Unmarshal(body, &read))
	say(object{"made": made, "read": read[0]})

	hear()
	// It refreshes by itself once a token is past its end.
	refreshed, err := config.TokenSource(ctx, &oauth2.Token{RefreshToken: token.RefreshToken, Expiry: time.Unix(1, 0)}).Token()
	check(err)
	client = config.Client(ctx, refreshed)
	say(object{"token": shown(refreshed), "profile": profile()})

	hear()
	ask := func(path, token string) (answer object) {
		asked, err := http.NewRequest("POST", issuer+path, bytes.NewBufferString(url.Values{"token": {token}}.Encode()))
		check(err)
		asked.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		asked.SetBasicAuth(config.ClientID, config.ClientSecret)
		_, body := answerOf(http.DefaultClient.Do(asked))
		check(json.Unmarshal(body, &answer))
		return answer
	}
	introspected := ask("/api/oauth2/v2/introspect", refreshed.AccessToken)
	revoked := ask("/api/oauth2/v2/revoke", refreshed.RefreshToken)
	refused, _ := answerOf(client.Get(issuer + "/api/user/profile"))
	_, err = config.TokenSource(ctx, &oauth2.Token{RefreshToken: refreshed.RefreshToken, Expiry: time.Unix(1, 0)}).Token()
	failure := object{}
	if errors.As(err, &refusal) {
		check(json.Unmarshal(refusal.Body, &failure))
	}
	say(object{"introspected": introspected, "revoked": revoked, "refused": refused, "error": failure["error"]})
}

func shown(token *oauth2.Token) object {
	return object{
		"access_token":  token.AccessToken,
		"refresh_token": token.RefreshToken,
		"token_type":    token.TokenType,
		"scope":         token.Extra("scope"),
		"expires_in":    time.Until(token.Expiry).Round(time.Minute).Seconds(),
	}
}
