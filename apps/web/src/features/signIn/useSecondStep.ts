import { type CountersignError, findSecondStep } from '@countersign/react'
import { useNavigate, useSearchParams } from 'react-router'
import { withNext } from '../../account/signIn/safeNext.ts'

/** Leads a sign-in that is refused for want of a second factor to its page; hands every other refusal on. */
export function useSecondStep() {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  return (onError: (error: CountersignError) => void) => (error: CountersignError) => {
    const step = findSecondStep(error)
    if (step) void navigate(withNext('/sign-in/second-step', search.get('next')), { state: step })
    else onError(error)
  }
}
