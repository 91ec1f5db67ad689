import { type CountersignError, findSecondStep } from '@countersign/react'
import type { SecondStep } from '@countersign/react/core'
import { offersNewAccount } from '@countersign/react/sheet'
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
