export { CountersignDevtools, type CountersignDevtoolsProps } from './components/devtools/CountersignDevtools.tsx'
