/**
 * Push state of this browser. `default`: off, and the person can be asked; `denied`: the person has to allow it in the
 * browser's settings first.
 */
export type PushState = 'unsupported' | 'default' | 'denied' | 'subscribed'

export type PushInput = {
  /** Path of `@countersign/react/push-worker.js` on your origin; `/push-worker.js` by default. */
  readonly worker?: string
}

export type SubscribeToPushInput = PushInput & {
  /** Names that pushes can be sent to. Those of before stay where none are given. */
  readonly channels?: readonly string[]
}
