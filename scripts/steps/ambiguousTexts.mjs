/**
 * English texts that are both an action and a state or a noun. Other languages have a word for each, so a call names
 * its meaning after a bar: `t('Set up|action')` on a button, `t('Set up|state')` on a badge.
 */
export const ambiguousTexts = new Set([
  'Archive',
  'Change',
  'Clear',
  'Close up',
  'Complete',
  'Empty',
  'Filter',
  'Format',
  'Index',
  'Lock',
  'Open',
  'Record',
  'Report',
  'Reset',
  'Set',
  'Set up',
  'Sign up',
  'Sort',
  'Start',
  'Test',
])
