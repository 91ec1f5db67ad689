export type StatusWords = {
  readonly offline: string
  readonly offlineSince: string
  readonly sending: string
  readonly waiting: string
  readonly refused: string
  readonly retry: string
  readonly discard: string
  readonly current: string
  readonly notKept: string
}

/** Texts of `<SyncStatus>`. `{time}` and `{count}` are filled in. */
export const english: StatusWords = {
  offline: 'Offline',
  offlineSince: 'Offline, as of {time}',
  sending: 'Sending changes: {count}',
  waiting: 'Changes to send: {count}',
  refused: 'Not saved: {reason}',
  retry: 'Try again',
  discard: 'Discard',
  current: 'Everything is saved',
  notKept: 'Nothing is kept on this device',
}
