import { CountersignError } from '@countersign/react'
import { useState } from 'react'
import { toasts } from '../../ui/feedback/toasts.ts'
import { describeError } from '../../ui/forms/describeError.ts'
import { type AskName, type Input, type Output, useAct, useProve } from './ask.ts'

/** A change by a button: pending while it runs, its success said. Errors are toasts; `undefined` if it was not done. */
export function useChange() {
  const act = useAct()
  const [pending, setPending] = useState(false)
  const change = async <Name extends AskName>(
    name: Name,
    input: Input<Name>,
    said?: string,
  ): Promise<Output<Name> | undefined> => {
    setPending(true)
    const answer = await act(name, input)
    setPending(false)
    if (answer && said) toasts.add(said, 'ok')
    return answer
  }
  return { pending, change }
}

/** A change by a form, where the input still stands when it fails: the problem is shown there. */
export function useFormChange(onProblem?: (error: CountersignError) => void) {
  const prove = useProve()
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<string>()
  /** Resolves to `undefined` if it was not done. */
  const send = async <Answer>(work: () => Promise<Answer>): Promise<Answer | undefined> => {
    setPending(true)
    setProblem(undefined)
    try {
      return await prove(work)
    } catch (error) {
      if (!(error instanceof CountersignError)) throw error
      setProblem(describeError(error).message)
      onProblem?.(error)
      return undefined
    } finally {
      setPending(false)
    }
  }
  return { pending, problem, setProblem, send }
}
