export { type Client, connect } from './connect.ts'
export { type FollowOptions, followEvents } from './follow-events.ts'
export { type ListenOptions, listen } from './listen-to-stream.ts'
export { type ConnectOptions, type EndpointRequest, InvalidBase, isProblem, ProblemError } from './send.ts'
