// Asks a service by reflection for every method of every service, with the library that grpcurl and ghz use, and prints
// their names. Usage: grpcreflect HOST:PORT
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/jhump/protoreflect/desc"
	"github.com/jhump/protoreflect/grpcreflect"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	v1 "google.golang.org/grpc/reflection/grpc_reflection_v1"
	v1alpha "google.golang.org/grpc/reflection/grpc_reflection_v1alpha"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Second)
	defer cancel()
	channel, err := grpc.NewClient(os.Args[1], grpc.WithTransportCredentials(insecure.NewCredentials()))
	check(err)
	describe("v1", grpcreflect.NewClientV1(ctx, v1.NewServerReflectionClient(channel)))
	describe("v1alpha", grpcreflect.NewClientV1Alpha(ctx, v1alpha.NewServerReflectionClient(channel)))
}

func describe(version string, client *grpcreflect.Client) {
	names, err := client.ListServices()
	check(err)
	for _, name := range names {
		service, err := client.ResolveService(name)
		check(err)
		for _, method := range service.GetMethods() {
			symbol := method.GetFullyQualifiedName()
			file, err := client.FileContainingSymbol(symbol) // as `grpcurl describe` and `ghz --call` do
			check(err)
			found, isMethod := file.FindSymbol(symbol).(*desc.MethodDescriptor)
			if !isMethod {
				log.Fatalf("%s is not in %s", symbol, file.GetName())
			}
			fmt.Println(version, symbol, found.GetInputType().GetFullyQualifiedName())
		}
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
