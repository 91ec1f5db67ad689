import { useEffect, useRef, useState } from 'react'
import { useCountdown } from './useCountdown.ts'

/** What is wrong with a form: a sentence for the whole, a sentence a field, a wait, and where to go on. */
export type FormProblem = {
  message?: string
  fields?: Partial<Record<string, string>>
  retryAfter?: number
  focus?: string
}

/** Keeps a form's problem and moves the focus to the first field that has one. */
export function useFormProblem() {
  const formRef = useRef<HTMLFormElement>(null)
  const [problem, setProblem] = useState<FormProblem>()
  const secondsLeft = useCountdown(problem?.retryAfter, problem)
  useEffect(() => {
    if (!problem) return
    const selector = problem.focus ? `[name="${problem.focus}"]` : '[aria-invalid="true"]'
    formRef.current?.querySelector<HTMLElement>(selector)?.focus()
  }, [problem])
  return { formRef, problem, setProblem, secondsLeft, errors: problem?.fields ?? {} }
}
