import type { CountersignError } from '@countersign/protocol'

export type InitializationState =
  | { readonly status: 'idle' }
  | { readonly status: 'initializing' }
  | { readonly status: 'ready'; readonly appId: string; readonly serverUrl: string }
  | { readonly status: 'error'; readonly error: CountersignError }
