import type { WireFields, WireValue } from '@countersign/protocol'
import type { CodeCaller } from '../../context/Registry.ts'
import type { ObjectStep } from '../createObjects.ts'

/** An error on its way between threads, which would lose its class and its code. */
export type Failure = { code?: number; message: string; details?: string; stack?: string }

/** To the worker. */
export type ToWorker =
  | { kind: 'call'; call: number; name: string; path: string; exported: string; params: WireFields; caller: CodeCaller }
  | { kind: 'stepDone'; id: number; answer: WireFields }
  | { kind: 'stepFailed'; id: number; failure: Failure }

/** From the worker. */
export type FromWorker =
  | { kind: 'done'; call: number; answer: WireValue | undefined }
  | { kind: 'failed'; call: number; failure: Failure }
  | { kind: 'step'; call: number; id: number; as: 'caller' | 'master'; step: ObjectStep }
  | { kind: 'log'; message: string; details: WireFields }
