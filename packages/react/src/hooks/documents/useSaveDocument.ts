'use client'

import { useCallback, useEffect } from 'react'
import type { Client } from '../../core/client/Client.ts'
import { type ActionOptions, type Callbacks, type Result, runAction } from '../../core/client/runAction.ts'
import { deleteDocument } from '../../core/documents/deleteDocuments.ts'
import { loadWriting } from '../../core/documents/loadWriting.ts'
import type { Optimistic } from '../../core/documents/SaveOptions.ts'
import { type Saved, sendSave } from '../../core/documents/saveDocuments.ts'
import type { ActionError } from '../../core/errors/ActionError.ts'
import type { ActionState, Run, RunAsync, RunOptions } from '../../core/readings/createMutation.ts'
import type { AnyChanges, AnySaveInput, Changes, NewFields } from '../../core/values/Changes.ts'
import type { Doc, Ref } from '../../core/values/Document.ts'
import type { ClassName } from '../../core/values/Register.ts'
import { useAction } from '../client/useMutation.ts'

type SaveCallbacks<Data> = Callbacks<Data, ActionError<'saveDocument'>>

export type UseSaveDocument<Name extends ClassName> = ActionState<Saved<Ref<Name>>, ActionError<'saveDocument'>> & {
  readonly create: Run<NewFields<Name>, Doc<Name>, ActionError<'saveDocument'>>
  readonly save: <Target extends Ref<Name>, Given extends SaveCallbacks<Saved<Target>> = SaveCallbacks<Saved<Target>>>(
    object: Target,
    changes: Changes<Name>,
    callbacks?: Given,
  ) => Promise<Result<Saved<Target>, Given>>
  /** As `create`, and rejects where it fails. */
  readonly createAsync: RunAsync<NewFields<Name>, Doc<Name>>
  /** As `save`, and rejects where it fails. */
  readonly saveAsync: <Target extends Ref<Name>>(
    object: Target,
    changes: Changes<Name>,
    options?: RunOptions,
  ) => Promise<Saved<Target>>
  readonly reset: () => void
}

function saveOne(client: Client, input: AnySaveInput & Optimistic, { signal }: ActionOptions): Promise<unknown> {
  return runAction(client, () => sendSave(client, input, signal, input.optimistic))
}

/** Loads optimistic updates before the first click. */
function usePreload({ optimistic }: Optimistic): void {
  useEffect(() => {
    if (optimistic) loadWriting().catch(() => undefined)
  }, [optimistic])
}

/**
 * Makes and changes objects of a class; visible data is updated from the response. Saves of one object are sent in the
 * order of the calls. With `optimistic: true` they are shown immediately and reverted if they fail.
 *
 * @example
 * const { create, save, status } = useSaveDocument('Game')
 * <button onClick={() => create({ title: 'Chess' })}>New game</button>
 * <button disabled={status === 'pending'} onClick={() => save(game, { score: op.increment(1) })}>Score</button>
 */
export function useSaveDocument<Name extends ClassName>(
  className: Name,
  { optimistic }: Optimistic = {},
): UseSaveDocument<Name> {
  usePreload({ optimistic })
  const { run, runAsync, ...rest } = useAction('run', saveOne, 'saveDocument')
  const create = useCallback(
    (fields: AnyChanges, callbacks?: Callbacks<unknown>) => run({ className, fields, optimistic }, callbacks),
    [run, className, optimistic],
  )
  const save = useCallback(
    (object: Ref, changes: AnyChanges, callbacks?: Callbacks<unknown>) =>
      run({ object, changes, optimistic }, callbacks),
    [run, optimistic],
  )
  const createAsync = useCallback(
    (fields: AnyChanges, options?: RunOptions) => runAsync({ className, fields, optimistic }, options),
    [runAsync, className, optimistic],
  )
  const saveAsync = useCallback(
    (object: Ref, changes: AnyChanges, options?: RunOptions) => runAsync({ object, changes, optimistic }, options),
    [runAsync, optimistic],
  )
  return { ...rest, create, save, createAsync, saveAsync } as UseSaveDocument<Name>
}

export type UseDeleteDocument = ActionState<void, ActionError<'deleteDocument'>> & {
  readonly deleteDocument: Run<Ref, void, ActionError<'deleteDocument'>>
  readonly deleteDocumentAsync: RunAsync<Ref, void>
  readonly reset: () => void
}

function deleteAtOnce(client: Client, object: Ref, options: ActionOptions): Promise<void> {
  return deleteDocument(client, object, { ...options, optimistic: true })
}

/**
 * Deletes objects and removes them from visible data.
 *
 * @example
 * const { deleteDocument, status } = useDeleteDocument()
 * <button disabled={status === 'pending'} onClick={() => deleteDocument(game)}>Delete</button>
 */
export function useDeleteDocument({ optimistic }: Optimistic = {}): UseDeleteDocument {
  usePreload({ optimistic })
  return useAction('deleteDocument', optimistic ? deleteAtOnce : deleteDocument)
}
