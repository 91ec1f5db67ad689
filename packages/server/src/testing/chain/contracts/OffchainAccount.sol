// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// An account that answers every call by asking its caller to fetch an address on the caller's own machine (EIP-3668).
/// The port is part of the code, so that an account that is delegated to it (EIP-7702) has it, too.
contract OffchainAccount {
    uint256 private immutable port;

    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

    constructor(uint256 ownPort) {
        port = ownPort;
    }

    fallback() external {
        string[] memory urls = new string[](2);
        urls[0] = string.concat("http://127.0.0.1:", decimal(port), "/by-get/{sender}/{data}");
        urls[1] = string.concat("http://127.0.0.1:", decimal(port), "/by-post");
        revert OffchainLookup(address(this), urls, msg.data, msg.sig, "");
    }

    function decimal(uint256 value) private pure returns (string memory text) {
        for (; value > 0; value /= 10) text = string.concat(string(abi.encodePacked(uint8(48 + (value % 10)))), text);
    }
}
