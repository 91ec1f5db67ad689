export type { InitialSession } from './core/InitialSession.ts'
export { getServerSession, type RequestHeaders, type ServerSessionInput } from './core/session/getServerSession.ts'
