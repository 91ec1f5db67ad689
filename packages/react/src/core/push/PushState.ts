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
  /** Channels of this device. The former ones stay if none are given. */
  readonly channels?: readonly string[]
}
