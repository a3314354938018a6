// A server on Centrifuge, the Go library of Centrifugo: WebSockets, and an HTTP call that publishes to a room.
//
// The Redis broker keeps the last messages of the room, from which a client that was away recovers. Clients and the
// publisher authenticate with keys. It is configured as Centrifugo is for several nodes.
package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/centrifugal/centrifuge"
)

const (
	historySize = 1000
	historyTTL  = 5 * time.Minute
)

func main() {
	address, redisURL, secret := os.Getenv("ADDRESS"), os.Getenv("REDIS_URL"), os.Getenv("SECRET")
	node, err := centrifuge.New(centrifuge.Config{LogLevel: centrifuge.LogLevelError, LogHandler: logEntry})
	check(err)
	shard, err := centrifuge.NewRedisShard(node, centrifuge.RedisShardConfig{Address: redisURL})
	check(err)
	broker, err := centrifuge.NewRedisBroker(node, centrifuge.RedisBrokerConfig{Shards: []*centrifuge.RedisShard{shard}})
	check(err)
	node.SetBroker(broker)

	// A token is `<user>.<HMAC of the user>`.
	node.OnConnecting(func(_ context.Context, event centrifuge.ConnectEvent) (centrifuge.ConnectReply, error) {
		user, signature, _ := strings.Cut(event.Token, ".")
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(user))
		if !hmac.Equal([]byte(hex.EncodeToString(mac.Sum(nil))), []byte(signature)) {
			return centrifuge.ConnectReply{}, centrifuge.DisconnectInvalidToken
		}
		return centrifuge.ConnectReply{Credentials: &centrifuge.Credentials{UserID: user}}, nil
	})
	node.OnConnect(func(client *centrifuge.Client) {
		client.OnSubscribe(func(_ centrifuge.SubscribeEvent, reply centrifuge.SubscribeCallback) {
			options := centrifuge.SubscribeOptions{EnableRecovery: true, EnablePositioning: true}
			reply(centrifuge.SubscribeReply{Options: options}, nil)
		})
	})
	check(node.Run())

	// No ping is sent during a measurement.
	pings := centrifuge.PingPongConfig{PingInterval: time.Hour, PongTimeout: time.Minute}
	http.Handle("/connection/websocket", centrifuge.NewWebsocketHandler(node, centrifuge.WebsocketConfig{PingPongConfig: pings}))
	http.HandleFunc("/publish", func(response http.ResponseWriter, request *http.Request) {
		if request.Header.Get("X-API-Key") != secret {
			http.Error(response, "{}", http.StatusUnauthorized)
			return
		}
		data, err := io.ReadAll(request.Body)
		if err == nil {
			_, err = node.Publish("room", data, centrifuge.WithHistory(historySize, historyTTL))
		}
		if err != nil {
			http.Error(response, "{}", http.StatusInternalServerError)
			return
		}
		_, _ = response.Write([]byte("{}"))
	})
	check(http.ListenAndServe(address, nil))
}

func logEntry(entry centrifuge.LogEntry) { log.Println(entry.Message, entry.Fields) }

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
