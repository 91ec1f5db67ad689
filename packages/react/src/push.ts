export type { PushInput, PushState, SubscribeToPushInput } from './core/push/push.ts'
export { type UsePush, usePush } from './hooks/push/usePush.ts'
