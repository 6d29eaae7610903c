package discordtest

import (
	"encoding/json"
	"maps"
	"strconv"
	"unicode/utf8"
)

// Profile is what an application says of itself.
type Profile struct {
	Description string
	// Private says that only its owner can add it, CustomInstall is an address of the owner's own for that.
	Private       bool
	CustomInstall string
	// Endpoint is where interactions are sent, and then not to the gateway; empty for nowhere else.
	Endpoint string
	// Installs are what it asks for where it is added: to a server ("0"), to a user ("1").
	Installs map[string]Install
	// Edits is how often it was changed.
	Edits int
}

// Install is a way to add an application: the numbers of its permissions are a text where Discord says them.
type Install struct {
	Scopes      []string `json:"scopes"`
	Permissions string   `json:"permissions"`
}

// Profile is what the application says of itself now.
func (s *Server) Profile() Profile {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.profile
	p.Installs = maps.Clone(p.Installs)
	return p
}

func (s *Server) getApplication(request) reply {
	installs := map[string]any{}
	for key, one := range s.profile.Installs {
		installs[key] = map[string]any{"oauth2_install_params": one}
	}
	app := map[string]any{
		"id": App, "name": "Zevaka", "description": s.profile.Description, "bot_public": !s.profile.Private, "integration_types_config": installs,
	}
	if s.profile.Endpoint != "" {
		app["interactions_endpoint_url"] = s.profile.Endpoint
	}
	if s.profile.CustomInstall != "" {
		app["custom_install_url"] = s.profile.CustomInstall
	}
	return ok(app)
}

// editApplication changes what is named, and nothing if that can't be.
func (s *Server) editApplication(r request) reply {
	var change struct {
		Description json.RawMessage `json:"description"`
		Installs    map[string]struct {
			Params struct {
				Scopes      []string `json:"scopes"`
				Permissions int64    `json:"permissions"`
			} `json:"oauth2_install_params"`
		} `json:"integration_types_config"`
	}
	if json.Unmarshal(r.body, &change) != nil {
		return invalidBody
	}
	if change.Description != nil {
		text, valid := s.descriptionOf(change.Description)
		if !valid || utf8.RuneCountInString(text) > 400 {
			return invalidBody
		}
		s.profile.Description = text
	}
	if change.Installs != nil {
		s.profile.Installs = map[string]Install{}
	}
	for key, one := range change.Installs {
		s.profile.Installs[key] = Install{one.Params.Scopes, strconv.FormatInt(one.Params.Permissions, 10)}
	}
	s.profile.Edits++
	return s.getApplication(r)
}

// descriptionOf reads a description: for several languages, or a text alone.
func (s *Server) descriptionOf(sent json.RawMessage) (text string, valid bool) {
	if s.opts.PlainProfile {
		return text, json.Unmarshal(sent, &text) == nil
	}
	var all struct {
		Default *string `json:"default"`
	}
	if json.Unmarshal(sent, &all) != nil || all.Default == nil {
		return "", false
	}
	return *all.Default, true
}
