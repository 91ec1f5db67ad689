import { useCallback, useState } from 'react'
import { toMoralisError } from '../errors/toMoralisError.ts'
import type { Attributes, Loose } from '../Loose.ts'
import type { MoralisObject, SaveOptions } from '../parse/MoralisObject.ts'
import { type MoralisCallbacks, runCall } from '../runCall.ts'
import { useMoralis } from './useMoralis.ts'

export type MoralisObjectSaveOptions = MoralisCallbacks<MoralisObject> & Pick<SaveOptions, 'cascadeSave' | 'context'>

type State = { isSaving: boolean; object: MoralisObject | null; error: Error | null }

/**
 * Makes objects of a class.
 *
 * @example
 * const { save, isSaving, error } = useNewMoralisObject('Game')
 * await save({ title: 'Chess' })
 */
export function useNewMoralisObject(className: string) {
  const { Moralis } = useMoralis()
  const [state, setState] = useState<State>({ isSaving: false, object: null, error: null })
  const save = useCallback(
    (data: Attributes = {}, { cascadeSave, context, ...callbacks }: MoralisObjectSaveOptions = {}): Promise<Loose> =>
      runCall(callbacks, async () => {
        setState((before) => ({ ...before, isSaving: true, error: null }))
        try {
          const object = await new Moralis.Object(className).save(data, { cascadeSave: cascadeSave ?? true, context })
          setState({ isSaving: false, object, error: null })
          return object
        } catch (cause) {
          const error = toMoralisError(cause)
          setState({ isSaving: false, object: null, error })
          throw error
        }
      }),
    [Moralis, className],
  )
  return { ...state, save }
}
