import { type CountersignError, findSecondStep } from '@countersign/react'
import type { SecondStep } from '@countersign/react/core'
import { useNavigate, useSearchParams } from 'react-router'
import { withNext } from '../../account/signIn/safeNext.ts'

/** Leads a sign-in that is refused for want of a second factor to its page; hands every other refusal on. */
export function useSecondStep() {
  const openSecondStep = useOpenSecondStep()
  return (onError: (error: CountersignError) => void) => (error: CountersignError) => {
    const step = findSecondStep(error)
    if (step && !offersNewAccount(error)) openSecondStep(step)
    else onError(error)
  }
}

export function useOpenSecondStep() {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  return (step: SecondStep) => void navigate(withNext('/sign-in/second-step', search.get('next')), { state: step })
}

/** Returns true if the reader of the mailbox may create a new account with the address instead. */
export function offersNewAccount({ reason, params }: CountersignError): boolean {
  return reason === 'emailOpensNothing' || params?.newAccount === true
}
