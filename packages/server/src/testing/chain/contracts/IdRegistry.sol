// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Whose id is whose, in the shape of Farcaster's registry: an address has one id at most, and an id one address.
contract IdRegistry {
    mapping(address => uint256) public idOf;
    mapping(uint256 => address) public custodyOf;
    uint256 public idCounter;

    function register(address to) external returns (uint256 fid) {
        require(idOf[to] == 0, "has an id");
        fid = ++idCounter;
        idOf[to] = fid;
        custodyOf[fid] = to;
    }

    /// Without the signatures that the real one asks for.
    function transfer(address from, address to) external {
        uint256 fid = idOf[from];
        require(fid != 0 && idOf[to] == 0, "no id, or one too many");
        idOf[from] = 0;
        idOf[to] = fid;
        custodyOf[fid] = to;
    }
}
