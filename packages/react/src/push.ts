export type { PushInput, PushState, SubscribeToPushInput } from './core/push/PushState.ts'
export { type UsePush, usePush } from './hooks/push/usePush.ts'
