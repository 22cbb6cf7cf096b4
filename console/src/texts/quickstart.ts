// The texts of the screens below quickstart/.

export const quickstartTexts = {
  quickstart: "Quickstart",
  thisSubaccountIsLiveEverythingYou: " This subaccount is live: everything you create is real.",
  stepsDone: "Steps done",
  youAreSetUp: "You are set up",
  apiRequests: "API requests",
  webhooks: "Webhooks",
  documentation: "documentation",
  createApiKey: "Create API key",
  createAnotherApiKey: "Create another API key",
  createAnApiKey: "Create an API key",
  yourProgramSendsTheKeyAnd:
    "Your program sends the key and signs each request with its secret. The secret is shown once. Keep it in the environment, never in the code.",
  makeYourFirstSignedRequest: "Make your first signed request",
  itReadsTheSubaccountOfThe: "It reads the subaccount of the key and changes nothing.",
  createAReceiver: "Create a receiver",
  aReceiverIsAPersonYou:
    "A receiver is a person you pay. In the sandbox, the identity check is simulated.",
  receiveYourFirstWebhook: "Receive your first webhook",
  everyChangeOfAPayoutOr:
    "Every change of a payout or an identity check is sent to your endpoint, signed. Set the endpoint URL and try it with a test event.",
  whoseSteps: "Steps for",
  doneOf: (done: number, all: number) => `${done} of ${all} steps done.`,
  anotherRoleDoesIt: "An operator or an admin does this.",
  forOperators: "For operators",
  forDevelopers: "For developers",
  makeYourFirstPayoutByApi: "Make your first payout",
  itPaysTheReceiver:
    "It pays the receiver of the step before. In the sandbox, the money and the bank are simulated. The key needs the permission to pay out: only operators and admins create such keys.",
  addFunds: "Add funds",
  payoutsArePaidFromTheBalance:
    "Payouts are paid from the balance of the subaccount. In test mode you add test funds; live, the page says where to transfer money to.",
  toBalances: "Go to Balances",
  addAReceiver: "Add a receiver",
  aReceiverIsPaidOnceTheIdentity:
    "A receiver is a person or a business that you pay. Add the bank account too. The receiver can be paid once the identity check is completed.",
  newReceiver: "New receiver",
  makeAPayout: "Make a payout",
  theReviewShowsFeeAndDates:
    "Choose the receiver and the amount. Before you confirm, the review shows the fee, the dates, and whether a second user has to approve.",
  newPayout: "New payout",
  approveAPayout: "Approve a payout",
  aSecondUserApproves:
    "A payout above the threshold waits for a second user: no user approves their own. The threshold is set in Settings.",
  toApprovals: "Go to Approvals",
  toSettings: "Set a threshold",
  youHavePaidAndApproved:
    "You have funded, paid and approved. Payouts shows each payout with its timeline.",
  done: ", done",
  notDoneYet: ", not done yet",
  whereToLookNext:
    "See your program's calls under {requests}, its events under {webhooks}, and the full API in the {documentation}.",
  endpointIsUnder:
    "You can also set the endpoint URL, see the secret and send a test event under {webhooks}.",
} as const;
