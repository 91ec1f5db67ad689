import { CountersignError, type UserChanges, useClient, useSaveUser, useUpload } from '@countersign/react'
import { useState } from 'react'
import { fetchNamePicture } from './chain/fetchNamePicture.ts'
import { describeError } from './describeError.ts'
import { needsStepUp } from './needsStepUp.ts'
import { say } from './say.ts'
import { squarePicture } from './squarePicture.ts'
import { toasts } from './toasts.ts'

/** The name of a wallet, and what of it the account has not got yet. */
export type NameToTake = { chain: number; name: string; isNew: boolean; withPicture: boolean }

/** Gives the account the name of a wallet and its picture. Where one of them cannot be had, the other is taken. */
export function useTakeName(onTaken?: (name: string) => void, onStepUp?: (again: () => void) => void) {
  const client = useClient()
  const { upload } = useUpload()
  const { saveUser } = useSaveUser()
  const [taking, setTaking] = useState<NameToTake>()
  const [problems, setProblems] = useState<readonly string[]>([])
  const tell = (problem: string) => setProblems((before) => [...before, problem])
  const onError = (error: CountersignError) => tell(describeError(error).message)
  const save = (changes: UserChanges, again: () => void) =>
    saveUser(changes, { onError: (error) => (onStepUp && needsStepUp(error) ? onStepUp(again) : onError(error)) })

  const draw = ({ chain, name }: NameToTake) =>
    fetchNamePicture(client, chain, name)
      .then(squarePicture)
      .catch((error: unknown) => {
        const isNoPicture = !(error instanceof CountersignError) || error.status === 404
        if (!isNoPicture) return onError(error)
        tell(say('The picture of {name} could not be fetched. Upload one instead.', { name }))
      })

  const take = async (wanted: NameToTake) => {
    const { name, isNew, withPicture } = wanted
    setTaking(wanted)
    setProblems([])
    const picture = withPicture ? await draw(wanted) : undefined
    const avatar = picture && (await upload({ file: picture, name: 'avatar' }, { onError }))
    // Apart from the name: that somebody else has it already must not cost the picture.
    const again = () => void take({ ...wanted, withPicture: false })
    if (avatar && (await save({ avatar }, again)) && !isNew) toasts.add(say('Your picture is saved.'), 'ok')
    if (isNew && (await save({ username: name }, again))) {
      onTaken?.(name)
      toasts.add(say('You are {name} now.', { name }), 'ok')
    }
    setTaking(undefined)
  }
  return { take, taking, problems }
}
