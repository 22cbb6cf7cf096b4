// Words that most passwords are made of, in lower case, without digits and punctuation: from public lists of leaked
// passwords, and words that users choose when a password must be changed often.

const words = `
pass password passwort passwd passw passwords motdepasse contrasena senha parola word letmein welcome willkommen
bienvenue changeme change default login logmein signin user username guest admin administrator adm root super superuser
manager owner master service server system support staff team office work company business corp test tester testing demo
example sample temp temporary secret private access enter open abc abcd abcdef qwerty qwertz azerty qwertyuiop qwert
asdf asdfgh asdfghjkl zxcvbn zxcvbnm qaz wsx edc qazwsx qazwsxedc dvorak iloveyou love lover loveme sunshine princess
monkey dragon football baseball basketball soccer hockey cricket rugby golf tennis superman batman spiderman starwars
pokemon matrix mustang ferrari porsche mercedes harley corvette toyota shadow michael jordan jennifer jessica ashley
daniel andrew charlie thomas robert matthew george william james john david joshua anthony maria anna hannah nicole
michelle summer winter spring autumn fall january february march april may june july august september october november
december monday tuesday wednesday thursday friday saturday sunday today tomorrow hello hallo hi goodbye thanks please
whatever nothing something trustno trust nobody god jesus angel heaven freedom liberty america london paris berlin
australia sydney melbourne brisbane england canada germany france india china japan newyork chelsea arsenal liverpool
barcelona madrid cheese chocolate cookie banana orange apple pepper ginger coffee computer internet google facebook
microsoft windows linux apple android iphone samsung money bank banking cash dollar dollars euro payment payments payout
payouts payroll finance accounting account invoice disburse treasury approve approver operator developer flower purple
yellow green blue red black white silver gold golden diamond killer hunter ninja samurai tiger lion eagle falcon wolf
bear cat dog puppy kitty buster bailey maggie pussy fuck fuckyou sexy hot cool good best new old my your the is it me you
one two three now year number keyboard phone house home family baby mother father brother sister friend friends forever
`
  .trim()
  .split(/\s+/);

export const commonWords: ReadonlySet<string> = new Set(words);
export const commonWordCharsMax = Math.max(...words.map((word) => word.length));
