// The texts of api/: problems that the server does not name itself.

export const apiTexts = {
  serverRespondedWith: (status: number) => `The server responded with ${status}`,
  serverCantBeReached: "The server can't be reached",
} as const;
