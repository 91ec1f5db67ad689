import type { WireFields } from '@countersign/protocol'
import type { CodeCaller, TimeLimit } from '../../context/Registry.ts'
import type { FromProcess, ToProcess } from './Message.ts'

/** A process that runs code of the application. */
export type CodeProcess = {
  /** Throws where the message is too long. */
  send(message: ToProcess): void
  /** Calls back with each message, and once with the reason of its end. Returns its own unsubscribe. */
  watch(hear: (message: FromProcess) => void, ended: (reason: EndReason) => void): () => void
  onExit(act: () => void): void
  /** Bytes of memory that it has, as far as that is known. */
  memory(): number
  end(): void
}

/** `status` is its exit code, or the signal that ended it. */
export type EndReason = { status: number | string; outOfMemory: boolean; isGarbled: boolean }

export type IsolatedCall = {
  name: string
  /** The file, and what of it. */
  path: string
  exported: string
  params: WireFields
  caller: CodeCaller
  limit: TimeLimit
}
