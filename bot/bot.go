// Package bot is everything between a platform and the rules: tables with people at them, lobbies, turn limits,
// commands and words. It knows no platform: an adapter makes a Request of what happened, and shows the Response.
package bot
