export type { InitialSession } from './core/Client.ts'
export { createServerClient, type ServerClientInput } from './core/session/createServerClient.ts'
export { getServerSession, type RequestHeaders, type ServerSessionInput } from './core/session/getServerSession.ts'
