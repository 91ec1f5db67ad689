import type { Client } from '../Client.ts'
import { type SessionEvent, transition } from './transition.ts'

export function moveSession({ internal }: Client, event: SessionEvent): void {
  internal.session.set(transition(internal.session.get(), event))
}
