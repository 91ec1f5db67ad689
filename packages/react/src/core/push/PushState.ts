/**
 * Whether this browser gets push notifications. `default`: it does not, and the person can be asked; `denied`: the
 * person has to allow it in the browser's own settings first.
 */
export type PushState = 'unsupported' | 'default' | 'denied' | 'subscribed'

export type PushInput = {
  /** Where your origin serves `@countersign/react/push-worker.js`; `/push-worker.js` by default. */
  readonly worker?: string
}

export type SubscribeToPushInput = PushInput & {
  /** Names that pushes can be sent to. Those of before stay where none are given. */
  readonly channels?: readonly string[]
}
