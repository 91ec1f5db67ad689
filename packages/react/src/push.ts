export type { PushInput, PushState, SubscribeToPushInput } from './core/actions/push.ts'
export { type UsePush, usePush } from './hooks/usePush.ts'
