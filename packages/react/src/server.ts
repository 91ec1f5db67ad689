export type { InitialSession } from './core/client/Client.ts'
export { createServerClient, type ServerClientInput } from './core/setup/createServerClient.ts'
export { getServerSession, type RequestHeaders, type ServerSessionInput } from './core/setup/getServerSession.ts'
