import { useCallback } from 'react'
import type { Callbacks } from '../core/Callbacks.ts'
import type { Client } from '../core/Client.ts'
import type { MutationState } from '../core/createMutation.ts'
import type { AnyChanges, Changes, NewFields } from '../core/documents/Changes.ts'
import type { Document, Ref } from '../core/documents/Document.ts'
import type { ClassName } from '../core/documents/Register.ts'
import type { AnySaveInput } from '../core/documents/SaveInput.ts'
import type { Saved } from '../core/documents/save.ts'
import { sendSave } from '../core/documents/sendSave.ts'
import { runAction } from '../core/runAction.ts'
import { useMutation } from './useMutation.ts'

export type UseSave<Name extends ClassName> = MutationState<Saved<Ref<Name>>> & {
  readonly create: (
    fields: NewFields<Name>,
    callbacks?: Callbacks<Document<Name>>,
  ) => Promise<Document<Name> | undefined>
  readonly save: <Target extends Ref<Name>>(
    object: Target,
    changes: Changes<Name>,
    callbacks?: Callbacks<Saved<Target>>,
  ) => Promise<Saved<Target> | undefined>
  readonly reset: () => void
}

function saveOne(client: Client, input: AnySaveInput, callbacks: Callbacks<unknown> = {}): Promise<unknown> {
  return runAction(client, callbacks, () => sendSave(client, input, callbacks.signal))
}

/**
 * Makes and changes objects of a class; what is on show of the class is then read again.
 *
 * @example
 * const { create, save, status } = useSave('Game')
 * <button onClick={() => create({ title: 'Chess' })}>New game</button>
 * <button disabled={status === 'pending'} onClick={() => save(game, { score: increment(1) })}>Score</button>
 */
export function useSave<Name extends ClassName>(className: Name): UseSave<Name> {
  const { state, run, reset } = useMutation(saveOne)
  const create = useCallback(
    (fields: AnyChanges, callbacks?: Callbacks<unknown>) => run({ className, fields }, callbacks),
    [run, className],
  )
  const save = useCallback(
    (object: Ref, changes: AnyChanges, callbacks?: Callbacks<unknown>) => run({ object, changes }, callbacks),
    [run],
  )
  return { ...state, create, save, reset } as UseSave<Name>
}
