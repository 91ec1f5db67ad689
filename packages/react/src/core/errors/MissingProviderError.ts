import { CountersignError } from '@countersign/protocol'

/** A hook was used outside `<CountersignProvider>` (R11). */
export class MissingProviderError extends CountersignError {
  override readonly name: string = 'MissingProviderError'

  constructor() {
    super('NotInitialized', 'No <CountersignProvider> was found above this component.', {
      details:
        'Wrap the application in <CountersignProvider>. If it is wrapped, look for a second copy of @countersign/react (npm ls @countersign/react).',
    })
  }
}
