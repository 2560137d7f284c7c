export type { Rejection as Trouble } from '../model/refusal.ts'
