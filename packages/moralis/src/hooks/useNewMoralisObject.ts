import { useCallback } from 'react'
import type { Attributes, Loose } from '../Loose.ts'
import type { MoralisObject, SaveOptions } from '../parse/MoralisObject.ts'
import type { MoralisCallbacks } from '../runCall.ts'
import { useAct } from './useAct.ts'
import { useMoralis } from './useMoralis.ts'

export type MoralisObjectSaveOptions = MoralisCallbacks<MoralisObject> & Pick<SaveOptions, 'cascadeSave' | 'context'>

/**
 * Makes objects of a class.
 *
 * @example
 * const { save, isSaving, error } = useNewMoralisObject('Game')
 * await save({ title: 'Chess' })
 */
export function useNewMoralisObject(className: string) {
  const { Moralis } = useMoralis()
  const { isRunning, data: object, error, run } = useAct<MoralisObject>(() => null)
  const save = useCallback(
    (
      data: Attributes = {},
      { cascadeSave = true, context, ...callbacks }: MoralisObjectSaveOptions = {},
    ): Promise<Loose> => run(callbacks, async () => new Moralis.Object(className).save(data, { cascadeSave, context })),
    [Moralis, className, run],
  )
  return { isSaving: isRunning, object, error, save }
}
