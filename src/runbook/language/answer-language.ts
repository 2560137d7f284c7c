/** The part of the language that says what an answer is: its options, variables and fields. */
import { FIELD_TYPES } from '../../model/contract.ts'
import { boundKeys, target, thenRoute } from './route-language.ts'
import { either, flag, integer, list, map, object, oneOf, text } from './shapes.ts'

const optionKeys = {
  say: text('What choosing it means; told to whoever answers.'),
  label: text('The words on the button. Made from the name when left out.'),
  recommended: flag('The choice to make when in doubt. At most one of a question.'),
  confirm: flag('Only a person may take it: from an agent it is a proposal, and a person is asked.'),
  reversible: flag('Whether it can be undone. Policies never answer with an irreversible option.'),
}

const option = either(
  'An answer and where it leads.',
  target,
  object('An answer and where it leads.', {
    ...optionKeys,
    to: target,
    ...boundKeys,
    then: thenRoute(2),
    exit: either(
      'The exit codes of a check that mean this answer.',
      integer(0, 255, 'The exit code that means this answer.'),
      list(integer(0, 255, 'An exit code.'), 'The exit codes that mean this answer.', 1),
      oneOf(['other'], 'All exit codes that no other option names.'),
    ),
  }),
)

export const options = map('option', option, 'The answers, best first, each with where it leads.', 1)

export const askedOption = either(
  'An answer.',
  text('What choosing it means.'),
  object('An answer.', optionKeys),
)

export const asks = either(
  'The variable the answer sets; or, for a decision table, several variables with their options.',
  text('The name of the variable the answer sets. `decision` when left out.'),
  map(
    'variable',
    either(
      'The options of one variable.',
      list(text('An option.'), 'The options of one variable.', 2),
      map('option', askedOption, 'The options of one variable.', 2),
    ),
    'The variables of a decision table, each with its options.',
    1,
  ),
)

const field = either(
  'Something the answer carries beside the choice.',
  oneOf(FIELD_TYPES, 'The type; the field is optional.'),
  object(
    'Something the answer carries beside the choice.',
    {
      type: oneOf(FIELD_TYPES, 'text, number, boolean, list (of texts), choice, file (a path), findings.'),
      say: text('What belongs in it.'),
      required: flag('Every answer must bring it.'),
      required_for: list(
        text('An option.'),
        'The options, or rows of a table, whose answer must bring it.',
        1,
      ),
      choices: list(text('A value.'), 'The values of a `choice`.', 2),
    },
    ['type'],
  ),
)

export const fields = map('field', field, 'What the answer carries beside the choice.')
